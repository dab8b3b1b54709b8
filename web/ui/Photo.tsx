import { imageSrcset, previewUrl } from "#contract/images.ts";

type PhotoProps = {
  img: string;
  /** A blurred preview (`previewUrl`) shown while loading. */
  preview?: string | null;
  alt: string;
  /** The `sizes` attribute. */
  sizes: string;
  /** Whether it is above the fold and loads with priority. */
  eager?: boolean;
};

/** A responsive 4:3 photo. */
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

export function Thumbnail({ img, alt }: { img: string; alt: string }) {
  return (
    <div className="w-24 overflow-hidden rounded-xl">
      <Photo img={img} alt={alt} sizes="6rem" />
    </div>
  );
}
