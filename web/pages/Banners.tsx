import type { ReactNode } from "react";
import { previewCookie } from "#contract/shop.ts";
import { InvitationBanner } from "#web/features/invitations/FriendOffer.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { useShop } from "#web/ui/use-shop.ts";

export default function Banners(): ReactNode {
  return useShop().isAdminView ? <AdminViewBanner /> : <InvitationBanner />;
}

/** Shown to admins while the page has draft settings, or while the shop is closed. */
function AdminViewBanner() {
  const isPreview = document.cookie.includes(previewCookie);
  const leave = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox lack the Cookie Store API.
    document.cookie = `${previewCookie}=; path=/; max-age=0; samesite=lax`;
    location.reload();
  };
  return (
    <aside
      aria-label="Preview"
      className="fixed inset-x-0 bottom-0 z-10 flex flex-wrap items-center justify-center gap-3 bg-neutral px-5 py-3 text-neutral-content"
    >
      <p>{!isPreview && "The shop is closed. "}Only you and other admins see this.</p>
      <ButtonLink to={paths.shop()} look="accent" size="small">
        Back to the settings
      </ButtonLink>
      {isPreview && (
        <Button look="plain" size="small" className="text-base-content" onClick={leave}>
          End the preview
        </Button>
      )}
    </aside>
  );
}
