import { Photo, usePhotoUrl } from "#web/ui/Photo.tsx";

/** A listing's photos; each links to the full image. */
export function ListingPhotos({ images }: { images: readonly string[] }) {
  const photoUrl = usePhotoUrl();
  return (
    <ul className="flex flex-wrap gap-2">
      {images.map((img, index) => (
        <li key={img} className="w-24 overflow-hidden rounded-xl">
          <a
            href={photoUrl(img)}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open photo ${index + 1}`}
          >
            <Photo img={img} alt="" sizes="10rem" />
          </a>
        </li>
      ))}
    </ul>
  );
}
