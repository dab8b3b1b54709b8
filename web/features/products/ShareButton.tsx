import type { Product } from "#contract/products.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { toast } from "#web/ui/toast.ts";

/** Opens the device's share sheet, or copies the laptop's URL if there is none. */
export function ShareButton({
  laptop: { _id, product_name },
}: {
  laptop: Pick<Product, "_id" | "product_name">;
}) {
  const share = async () => {
    const url = `${location.origin}${paths.laptop(_id, product_name)}`;
    try {
      if (navigator.share) return await navigator.share({ title: product_name, url });
      await navigator.clipboard.writeText(url);
      toast.success("Link copied.");
    } catch (error) {
      // Closing the share sheet isn't an error.
      if (!(error instanceof DOMException && error.name === "AbortError"))
        toast.error("We couldn't share this. Copy the address of this page instead.");
    }
  };
  return (
    <Button look="quiet" className="needs-scripts" onClick={() => void share()}>
      <Icon name="share-2" className="size-4" />
      Share
    </Button>
  );
}
