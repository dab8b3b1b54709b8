import { useState } from "react";
import Cropper, { type Area } from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { useObjectUrl } from "#web/ui/object-url.ts";

type PhotoCropProps = {
  file: File;
  onCrop: (area: Area) => void;
  /** Called if the browser can't decode the file. */
  onUnreadable: () => void;
};

/** Crops the photo to 4:3 by mouse, wheel, touch or keyboard. */
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
          // The content security policy forbids inline styles, so the CSS is imported above.
          disableAutomaticStylesInjection
          mediaProps={{ alt: "Preview of your upload", onError: onUnreadable }}
          cropperProps={{
            role: "group",
            "aria-label": "Crop area. Use the arrow keys to move it.",
          }}
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
