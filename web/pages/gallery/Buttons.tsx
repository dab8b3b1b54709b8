import { VerifiedIcon } from "#web/domain/sellers/VerifiedIcon.tsx";
import { VerifiedBadge } from "#web/features/products/VerifiedBadge.tsx";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DeleteButton } from "#web/ui/ConfirmButton.tsx";
import { GallerySection, Row } from "./Gallery.tsx";

const looks = ["primary", "accent", "dark", "plain", "quiet", "danger"] as const;
const sizes = ["large", "medium", "small"] as const;

export function Buttons() {
  return (
    <GallerySection title="Buttons">
      {sizes.map((size) => (
        <Row key={size}>
          {looks.map((look) => (
            <Button key={look} look={look} size={size}>
              {look}
            </Button>
          ))}
        </Row>
      ))}
      <Row>
        {looks.map((look) => (
          <Button key={look} look={look} disabled>
            {look}
          </Button>
        ))}
      </Row>
      <Row>
        {looks.map((look) => (
          <Button key={look} look={look} busy>
            {look}
          </Button>
        ))}
      </Row>
      <Row>
        <DeleteButton name="this" busy={false} onDelete={(done) => done()} />
        <Avatar name="Nora" photo={null} size="small" />
        <Avatar name="Nora" photo="/icon-192.png" size="small" />
        <Avatar name="Nora" photo={null} size="large" />
        <VerifiedIcon />
        <VerifiedBadge checks={["admin"]} />
        <span className="switch" />
        <span className="switch switch-on" />
      </Row>
    </GallerySection>
  );
}
