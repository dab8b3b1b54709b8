import { useRouteLoaderData } from "react-router";
import { imageSrcset, previewUrl } from "#contract/image-sources.ts";

type PhotoProps = {
  img: string;
  /** A blurred preview (`previewUrl`), shown while a photo above the fold is loading. */
  preview?: string | null;
  alt: string;
  /** The `sizes` attribute. */
  sizes: string;
  /** Whether it is above the fold, and so is not loaded lazily. */
  eager?: boolean;
  /** Whether it is likely the largest thing in the first view. */
  first?: boolean;
};

/** A responsive 4:3 photo. */
export function Photo({ preview, ...photo }: PhotoProps) {
  if (!preview || !photo.eager) return <Picture className="photo" {...photo} />;
  return (
    <span className="photo">
      <img src={previewUrl(preview)} alt="" />
      <Picture {...photo} />
    </span>
  );
}

function Picture({
  img,
  alt,
  sizes,
  eager = false,
  first = false,
  className,
}: Omit<PhotoProps, "preview"> & { className?: string }) {
  const photoUrl = usePhotoUrl();
  const path = useImagePath()(img);
  // An image host has no other sizes, whatever its addresses look like.
  const srcset = path.startsWith("/") ? imageSrcset(path, photoUrl) : undefined;
  return (
    <picture className={className}>
      {srcset && <source type="image/webp" srcSet={srcset} sizes={sizes} />}
      <img
        src={photoUrl(img)}
        alt={alt}
        {...(eager ? {} : { loading: "lazy" })}
        {...(first && { fetchPriority: "high" })}
      />
    </picture>
  );
}

const ownPath = "/images/";

type Root = { origin: string; photosUrl?: string | undefined };

/**
 * Returns a function from an image's address to its path, if it is this shop's. A page that was opened at another
 * address of the server, such as localhost, may load images from its own origin only.
 */
export function useImagePath(): (img: string) => string {
  const origin = useRouteLoaderData<Root>("root")?.origin;
  return (img) => img.replace(`${origin}/`, "/");
}

/** Returns a function from a photo's address to the one it is loaded from: this server, or S3_PUBLIC_URL. */
export function usePhotoUrl(): (img: string) => string {
  const photosUrl = useRouteLoaderData<Root>("root")?.photosUrl;
  const imagePath = useImagePath();
  return (img) => {
    const path = imagePath(img);
    return photosUrl !== undefined && path.startsWith(ownPath)
      ? `${photosUrl}/${path.slice(ownPath.length)}`
      : path;
  };
}

export function Thumbnail({ img, alt }: { img: string; alt: string }) {
  return (
    <div className="w-24 overflow-hidden rounded-xl">
      <Photo img={img} alt={alt} sizes="6rem" />
    </div>
  );
}
