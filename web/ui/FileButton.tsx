import type { ComponentProps } from "react";
import { buttonClass } from "./Button.tsx";
import { Icon } from "./Icon.tsx";
import type { IconName } from "./icon-names.ts";
import "./file-button.css";

type FileButtonProps = Omit<ComponentProps<"input">, "onChange" | "size"> & {
  icon?: IconName | null;
  size?: "small" | "medium";
  onFiles: (files: File[]) => void;
};

export function FileButton(props: FileButtonProps) {
  const { icon = "image-plus", size = "medium", hidden, onFiles, children, ...input } = props;
  return (
    <span
      className={`file-button self-start ${buttonClass({ look: "plain", size })}`}
      hidden={hidden}
    >
      {icon && <Icon name={icon} className="size-4.5" />}
      {children}
      <input
        {...input}
        type="file"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Lets the user choose the same files again.
          currentTarget.value = "";
        }}
      />
    </span>
  );
}

/** `value` is the uploaded share, 0 to 1, or undefined if unknown. */
export function UploadProgress({ value }: { value: number | undefined }) {
  return (
    <progress
      className="h-2 w-full accent-primary"
      value={value}
      max={1}
      aria-label="Photo upload"
    />
  );
}
