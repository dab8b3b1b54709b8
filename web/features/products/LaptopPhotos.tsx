import { type KeyboardEvent, lazy, Suspense, useRef, useState } from "react";
import type { Laptop } from "#contract/laptop-page.ts";
import { Photo, usePhotoUrl } from "#web/ui/Photo.tsx";

type LaptopPhotosProps = { laptop: Pick<Laptop, "images" | "img_preview" | "product_name"> };

/** Without scripts, the strip scrolls, thumbnails jump to photos, and a photo opens its file. */
export function LaptopPhotos({ laptop: { images, img_preview, product_name } }: LaptopPhotosProps) {
  const strip = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(0);
  const [zoomed, setZoomed] = useState<number>();
  const photoUrl = usePhotoUrl();
  const isOne = images.length === 1;
  const show = (index: number) => {
    const photo = strip.current?.children[index];
    photo?.scrollIntoView({ block: "nearest", inline: "start" });
  };
  const onArrow = (index: number) => (event: KeyboardEvent<HTMLAnchorElement>) => {
    const next = index + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0);
    if (next === index || next < 0 || next >= images.length) return;
    event.preventDefault();
    show(next);
    const list = event.currentTarget.closest("ul");
    list
      ?.querySelectorAll("a")
      .item(next)
      .focus({ preventScroll: list === strip.current });
  };
  return (
    <div className="min-w-0">
      <ul
        ref={strip}
        className="snap-strip photo-strip"
        aria-label="Photos"
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setShown(Math.round(scrollLeft / clientWidth))
        }
      >
        {images.map((img, index) => (
          <li key={img} id={`photo-${index + 1}`}>
            <a
              href={photoUrl(img)}
              onKeyDown={onArrow(index)}
              onClick={(event) => {
                event.preventDefault();
                setZoomed(index);
              }}
            >
              <Photo
                img={img}
                preview={index === 0 ? img_preview : null}
                alt={
                  isOne ? product_name : `${product_name}, photo ${index + 1} of ${images.length}`
                }
                eager={index === 0}
                first={index === 0}
                sizes="(width >= 64rem) 44rem, calc(100vw - 2.5rem)"
              />
            </a>
          </li>
        ))}
      </ul>
      {!isOne && (
        <ul className="photo-thumbs" aria-label="Thumbnails">
          {images.map((img, index) => (
            <li key={img}>
              <a
                href={`#photo-${index + 1}`}
                aria-label={`Photo ${index + 1}`}
                aria-current={index === shown}
                onKeyDown={onArrow(index)}
                onClick={(event) => {
                  event.preventDefault();
                  show(index);
                }}
              >
                <Photo img={img} alt="" sizes="5rem" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {zoomed !== undefined && (
        <Suspense>
          <PhotoZoom
            images={images}
            name={product_name}
            first={zoomed}
            onClose={(last) => {
              setZoomed(undefined);
              show(last);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

const PhotoZoom = lazy(() => import("./PhotoZoom.tsx"));
