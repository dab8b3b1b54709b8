import { type KeyboardEvent, type TouchEvent, useRef, useState } from "react";
import { openWhileRendered } from "#web/ui/Dialog.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";
import { Photo } from "#web/ui/Photo.tsx";

type PhotoZoomProps = {
  images: string[];
  name: string;
  first: number;
  /** Called with the index of the last shown photo. */
  onClose: (last: number) => void;
};

export default function PhotoZoom({ images, name, first, onClose }: PhotoZoomProps) {
  const [at, setAt] = useState(first);
  const [isLarge, setLarge] = useState(false);
  const show = (next: number) => {
    if (next < 0 || next >= images.length) return;
    setAt(next);
    setLarge(false);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft" && !isLarge) show(at - 1);
    if (key === "ArrowRight" && !isLarge) show(at + 1);
  };
  const touchedAt = useRef(0);
  const onTouchEnd = ({ changedTouches }: TouchEvent) => {
    const moved = (changedTouches[0]?.clientX ?? 0) - touchedAt.current;
    if (!isLarge && Math.abs(moved) > 50) show(moved < 0 ? at + 1 : at - 1);
  };
  const img = images[at];
  if (img === undefined) return null;
  const place = `Photo ${at + 1} of ${images.length}`;
  return (
    <dialog
      ref={openWhileRendered}
      aria-label={`Photos of ${name}`}
      className="photo-zoom"
      // Ignores the close event of a dialog that is open again.
      onClose={({ currentTarget }) => currentTarget.open || onClose(at)}
      onKeyDown={onKeyDown}
      onTouchStart={({ touches }) => {
        // A two-finger gesture zooms instead of swiping.
        touchedAt.current = touches.length === 1 ? (touches[0]?.clientX ?? 0) : Number.NaN;
      }}
      onTouchEnd={onTouchEnd}
      closedby="any"
    >
      <div className="flex items-center gap-2 px-4 py-2">
        {images.length > 1 && (
          <>
            <RoundButton
              icon="chevron-left"
              label="Previous photo"
              isOff={at === 0}
              onClick={() => show(at - 1)}
            />
            <p role="status">{place}</p>
            <RoundButton
              icon="chevron-right"
              label="Next photo"
              isOff={at === images.length - 1}
              onClick={() => show(at + 1)}
            />
          </>
        )}
        <form method="dialog" className="ml-auto">
          <button type="submit" aria-label="Close" className="btn btn-ghost btn-circle">
            <Icon name="x" className="size-5" />
          </button>
        </form>
      </div>
      <div className="photo-zoom-view" data-large={isLarge}>
        <button
          type="button"
          aria-label={isLarge ? "Zoom out" : "Zoom in"}
          onClick={() => setLarge(!isLarge)}
        >
          <Photo key={img} img={img} alt={`${name}, ${place.toLowerCase()}`} sizes="200vw" eager />
        </button>
      </div>
    </dialog>
  );
}

type RoundButtonProps = { icon: IconName; label: string; isOff: boolean; onClick: () => void };

/** While off, the button is only `aria-disabled`, because a `disabled` button loses focus. */
function RoundButton({ icon, label, isOff, onClick }: RoundButtonProps) {
  return (
    <button
      type="button"
      className="btn btn-ghost btn-circle"
      aria-label={label}
      aria-disabled={isOff}
      onClick={onClick}
    >
      <Icon name={icon} className="size-5" />
    </button>
  );
}
