import type { Product } from "#contract/products.ts";
import { ProductGrid, ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { Photo } from "#web/ui/Photo.tsx";
import { GallerySection, Row } from "./Gallery.tsx";

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

/** Edge-case listings: long names, high prices, every condition, no savings. */
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

export function Listing() {
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
