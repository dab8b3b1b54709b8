import type { ComponentProps, ReactNode } from "react";
import { data } from "react-router";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { pageContext } from "#web/api/api.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { VerifiedIcon } from "#web/domain/sellers/VerifiedIcon.tsx";
import { ProductGrid, ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { VerifiedBadge } from "#web/features/products/VerifiedBadge.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { DeleteButton } from "#web/ui/ConfirmButton.tsx";
import { type Column, DataTable, serialNumber, TableSkeleton } from "#web/ui/DataTable.tsx";
import { controlClass, Field, ReadOnlyField } from "#web/ui/Field.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { ErrorIllustration } from "#web/ui/illustrations.tsx";
import { Logo } from "#web/ui/Logo.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { Photo, Thumbnail } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import type { Route } from "./+types/ui.ts";

/** The page needs scripts, so the app starts at once (`web/start/server-render.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Components");

/** A page for developers; not found in production. */
export function loader({ context }: Route.LoaderArgs) {
  if (context.get(pageContext).production) throw data(null, { status: 404 });
  return null;
}

export function clientLoader() {
  return null;
}

/** A test compares screenshots of this page (docs/design-language.md). */
export default function Components() {
  return (
    <div className="flex flex-col gap-16">
      <h1 className="text-headline">Components</h1>
      <Language />
      <Buttons />
      <Forms />
      <Listing />
      <Lists />
    </div>
  );
}

/** The title names the section's screenshot. */
function GallerySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-6">
      <h2 className="text-title">{title}</h2>
      {children}
    </section>
  );
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-4">{children}</div>;
}

const backgrounds = [
  "bg-base-100 text-base-content",
  "bg-base-200 text-muted",
  "bg-base-300 text-base-content",
  "bg-primary text-primary-content",
  "bg-secondary text-secondary-content",
  "bg-accent text-accent-content",
  "bg-deep text-deep-content",
  "bg-sand text-sand-content",
  "bg-neutral text-neutral-content",
  "bg-base-100 text-success",
  "bg-base-100 text-warning",
  "bg-base-100 text-error",
  "bg-base-100 text-info",
];

function Language() {
  return (
    <GallerySection title="Language">
      <Row>
        <Logo />
      </Row>
      <p className="font-display font-semibold text-headline">A good laptop</p>
      <p className="font-display font-semibold text-title">deserves a second lap</p>
      <p className="font-display font-semibold text-subtitle">from someone who looked after it</p>
      <p className="font-display font-semibold text-heading">MacBook Air 13 M4</p>
      <p className="font-bold font-display text-price tabular-nums">{formatPrice(1819)}</p>
      <p>Bought from people, passed on with care.</p>
      <p className="text-label text-muted">Resale Price</p>
      <ul className="grid grid-cols-4 gap-3">
        {backgrounds.map((classes) => (
          <li key={classes} className={`rounded-box border border-line p-4 ${classes}`}>
            {classes.replaceAll(/(bg|text)-/g, "")}
          </li>
        ))}
      </ul>
    </GallerySection>
  );
}

const looks = ["primary", "accent", "dark", "plain", "quiet", "danger"] as const;
const sizes = ["large", "medium", "small"] as const;

function Buttons() {
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

function Forms() {
  return (
    <GallerySection title="Forms">
      <div className="fields grid-cols-3">
        <TextField label="Empty" placeholder="you@example.com" />
        <TextField label="With a hint" hint="At least 6 characters." />
        <TextField label="Filled in" defaultValue="Central Library, main entrance" />
        <TextField
          label="Invalid"
          defaultValue="nora"
          error="Enter an email address such as you@example.com."
        />
        <ReadOnlyField label="Read-only" value="Nora Castellanos" />
        <TextField label="Disabled" disabled defaultValue="Nora Castellanos" />
        <Field label="Select">
          {(control) => (
            <select {...control} className={`select ${controlClass}`}>
              <option>Buyer</option>
            </select>
          )}
        </Field>
        <Field label="Long text">
          {(control) => <textarea {...control} rows={3} className={`textarea ${controlClass}`} />}
        </Field>
      </div>
      <FormMessage message="That email and password don't match. Check both and try again." />
    </GallerySection>
  );
}

type TextFieldProps = ComponentProps<"input"> & { label: string; hint?: string; error?: string };

function TextField({ label, hint, error, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input {...control} {...rest} className={`input ${controlClass}`} />}
    </Field>
  );
}

const laptop: Product = {
  _id: "1",
  product_categoryId: "1",
  product_name: "MacBook Air 13 M4, 16 GB, 256 GB",
  condition: "Excellent",
  resale_price: 819,
  original_price: 999,
  use_duration: 18,
  location: "Portland, OR",
  seller_name: "Marta Lindqvist",
  postedAt: "2026-03-03T12:00:00.000Z",
  yearOf_purchase: 2025,
  description:
    "The sky blue one, eighteen months old and spotless because I put a skin on it the first day and have just peeled it off. Charger, cable and box included, and a sleeve that has never left its bag.",
  img: "/icon-512.png",
  img_preview: "nIRunIRunIRunIRuiXNeiXNeiXNeiXNedmBLdmBLdmBLdmBL",
  sales_status: "available",
  advertise: true,
  verify: true,
  sellerChecks: ["admin", "email"],
  sellerRating: { stars: 4.8, reviews: 12 },
  batteryHealth: 97,
};

const unusual: Product[] = [
  {
    ...laptop,
    _id: "2",
    product_name: "A laptop without a comma in a name that takes more than one line",
    condition: "Good",
    resale_price: 1249.5,
    original_price: 1249.5,
    verify: false,
  },
  {
    ...laptop,
    _id: "3",
    product_name: "ThinkPad, everything in it",
    condition: "Fair",
    resale_price: 12_249.5,
    original_price: 23_499,
    use_duration: 0,
    location: "A town with a very long name indeed, OR",
    seller_name: "Someone with a name as long as the town's",
    description: "Short.",
  },
];

function Listing() {
  return (
    <GallerySection title="Listing">
      <ProductGrid products={[laptop]} aboveFold onBook={noop} onReport={noop} />
      <ProductGrid products={unusual} onBook={noop} onReport={noop} />
      <ProductGridSkeleton cards={1} />
      <Row>
        {[laptop.img, missing].map((img) => (
          <div key={img} className="w-40">
            <Photo img={img} preview={laptop.img_preview} alt="" sizes="10rem" eager />
          </div>
        ))}
      </Row>
    </GallerySection>
  );
}

function noop() {}

/** A 1 x 1 pixel image, so that the preview stays visible. */
const missing = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

type Entry = { title: string; price: string };

const columns: Column<Entry>[] = [
  serialNumber(),
  { header: "Image", as: "photo", cell: () => <Thumbnail img="/icon-512.png" alt="" /> },
  { header: "Title", as: "title", cell: ({ title }) => <ProductName name={title} /> },
  { header: "Price", cell: ({ price }) => price },
];

const failed = {
  data: undefined,
  error: new Error("We can't reach the shop. Check your connection and try again."),
  isFetching: false,
  refetch: () => {},
};

function Lists() {
  const table = (
    <DataTable
      caption="Laptops"
      columns={columns}
      rows={[{ _id: "1", title: "MacBook Air 13 M4, 16 GB, 256 GB", price: "$819" }]}
    />
  );
  return (
    <GallerySection title="Lists">
      {table}
      <div className="w-80">{table}</div>
      <TableSkeleton columns={columns} rows={2} />
      <Notice title="You haven't booked a laptop yet" drawing>
        <p>Laptops you book appear here.</p>
        <Button>Find a laptop</Button>
      </Notice>
      <QueryState query={failed} skeleton={null}>
        {() => null}
      </QueryState>
      <ErrorIllustration className="w-64" />
    </GallerySection>
  );
}
