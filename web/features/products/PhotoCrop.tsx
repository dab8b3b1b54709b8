import { useState } from "react";
import Cropper, { type Area } from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { useObjectUrl } from "#web/ui/use-object-url.ts";

type PhotoCropProps = {
  file: File;
  onCrop: (area: Area) => void;
  /** The file is no picture that this browser can show. */
  onUnreadable: () => void;
};

/** A chosen photo behind a 4:3 window, to be moved and enlarged by hand, wheel, fingers or keys. */
export function PhotoCrop({ file, onCrop, onUnreadable }: PhotoCropProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const image = useObjectUrl(file);
  return (
    <>
      <div className="photo-field">
        <Cropper
          {...(image && { image })}
          aspect={4 / 3}
          objectFit="cover"
          crop={crop}
          zoom={zoom}
          showGrid={false}
          // Its styles come as a file; the page's policy refuses a style element.
          disableAutomaticStylesInjection
          mediaProps={{ alt: "Preview of your upload", onError: onUnreadable }}
          cropperProps={{ role: "group", "aria-label": "Photo crop. Move it with the arrow keys." }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, area) => onCrop(area)}
        />
      </div>
      <p className="text-muted text-sm">Drag the photo to position the laptop.</p>
      <label className="flex max-w-108 items-center gap-3 text-sm">
        Zoom
        <input
          type="range"
          min={1}
          max={3}
          step={0.05}
          value={zoom}
          onChange={({ currentTarget }) => setZoom(Number(currentTarget.value))}
          className="w-full accent-primary"
        />
      </label>
    </>
  );
}
