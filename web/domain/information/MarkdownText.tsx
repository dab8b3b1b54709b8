import Markdown from "react-markdown";
import { withShopName } from "#contract/shop.ts";
import { useShop } from "#web/ui/use-shop.ts";
import "./markdown.css";

/**
 * Text written by the shop's owner. HTML is shown as plain text, and links lead only to safe URLs
 * (github.com/remarkjs/react-markdown, "Security"). Pages load this file only if an owner has
 * written the text.
 */
export default function MarkdownText({ text }: { text: string }) {
  return (
    <div className="markdown">
      <Markdown disallowedElements={["img"]} components={{ h1: "h2" }}>
        {withShopName(text, useShop())}
      </Markdown>
    </div>
  );
}
