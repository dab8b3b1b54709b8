import { imageSrcset } from "#contract/images.ts";

type PhotoProps = {
  img: string;
  alt: string;
  /** How wide it is shown, as the `sizes` of an image. */
  sizes: string;
  eager?: boolean;
  className?: string;
};

/** A laptop's photo in 4:3, as small as the place it is shown in allows. */
export function Photo({ img, alt, sizes, eager = false, className = "" }: PhotoProps) {
  const srcset = imageSrcset(img);
  return (
    <picture>
      {srcset && <source type="image/webp" srcSet={srcset} sizes={sizes} />}
      <img
        src={img}
        alt={alt}
        width={640}
        height={480}
        loading={eager ? "eager" : "lazy"}
        decoding="async"
        className={`aspect-4/3 w-full bg-base-300 object-cover ${className}`}
      />
    </picture>
  );
}

/** The photo of a table's row. */
export function Thumbnail({ img, alt }: { img: string; alt: string }) {
  return (
    <div className="w-24 overflow-hidden rounded-xl">
      <Photo img={img} alt={alt} sizes="6rem" />
    </div>
  );
}
