import { imageSrcset, previewUrl } from "#contract/images.ts";

type PhotoProps = {
  img: string;
  /** Its colours from far away, shown until it has come. */
  preview?: string | null;
  alt: string;
  /** How wide it is shown, as the `sizes` of an image. */
  sizes: string;
  /** In view from the start, so it is asked for before all else. */
  eager?: boolean;
};

/** A laptop's photo in 4:3, as small as the place it is shown in allows. */
export function Photo({ img, preview, alt, sizes, eager = false }: PhotoProps) {
  const srcset = imageSrcset(img);
  return (
    <span className="photo">
      {preview && <img src={previewUrl(preview)} alt="" />}
      <picture>
        {srcset && <source type="image/webp" srcSet={srcset} sizes={sizes} />}
        <img
          src={img}
          alt={alt}
          width={640}
          height={480}
          loading={eager ? "eager" : "lazy"}
          decoding="async"
        />
      </picture>
    </span>
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
