import { useRouteLoaderData } from "react-router";
import { imageSrcset, previewUrl } from "#contract/image-sources.ts";

type PhotoProps = {
  img: string;
  /** A blurred preview (`previewUrl`), shown while a photo above the fold is loading. */
  preview?: string | null;
  alt: string;
  sizes: string;
  /** Whether the photo is above the fold and therefore not loaded lazily. */
  eager?: boolean;
  /** Whether the photo is likely the largest thing above the fold. */
  first?: boolean;
};

export function Photo({ preview, ...photo }: PhotoProps) {
  if (!preview || !photo.eager) return <Picture className="photo" {...photo} />;
  return (
    <span className="photo">
      <img src={previewUrl(preview)} alt="" />
      <Picture {...photo} />
    </span>
  );
}

type PictureProps = Omit<PhotoProps, "preview"> & { className?: string };

function Picture({ img, alt, sizes, eager, first, className }: PictureProps) {
  const photoUrl = usePhotoUrl();
  const src = photoUrl(img);
  // External image hosts offer no other sizes, even if their URLs look like ours.
  const srcset = src === img ? undefined : imageSrcset(img, photoUrl);
  return (
    <picture className={className}>
      {srcset && <source type="image/webp" srcSet={srcset} sizes={sizes} />}
      <img
        src={src}
        alt={alt}
        loading={eager ? undefined : "lazy"}
        fetchPriority={first ? "high" : undefined}
      />
    </picture>
  );
}

type Root = { origin: string; photosUrl?: string | undefined };

/**
 * The shop's images load from the page's own origin, which may differ from the shop's, for example
 * on localhost. Photos load from S3_PUBLIC_URL if set.
 */
export function usePhotoUrl(): (img: string) => string {
  const { origin, photosUrl = "/images" } = useRouteLoaderData<Root>("root") ?? {};
  return (img) => img.replace(`${origin}/images`, photosUrl).replace(`${origin}/`, "/");
}

export function Thumbnail({ img, alt }: { img: string; alt: string }) {
  return (
    <div className="w-24 overflow-hidden rounded-xl">
      <Photo img={img} alt={alt} sizes="6rem" />
    </div>
  );
}
