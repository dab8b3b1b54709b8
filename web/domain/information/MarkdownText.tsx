import Markdown from "react-markdown";
import { withShopName } from "#contract/shop.ts";
import { useShop } from "#web/ui/use-shop.ts";
import "./markdown.css";

/** Shows HTML as plain text, and links only to safe URLs (react-markdown, "Security"). */
export default function MarkdownText({ text }: { text: string }) {
  return (
    <div className="markdown">
      <Markdown disallowedElements={["img"]} components={{ h1: "h2" }}>
        {withShopName(text, useShop())}
      </Markdown>
    </div>
  );
}
