import { type KeyboardEvent, useId, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { type ControlProps, controlClass } from "./Field.tsx";

type ComboboxProps<O extends { name: string }> = {
  control: ControlProps;
  field: UseFormRegisterReturn;
  placeholder: string;
  options: O[];
  onChoose: (option: O) => void;
};

/** A text field with suggestions (WAI-ARIA combobox with a listbox). Accepts any other text too. */
export function Combobox<O extends { name: string }>({
  control,
  field,
  placeholder,
  options,
  onChoose,
}: ComboboxProps<O>) {
  const listId = useId();
  const { active, isOpen, setOpen, choose, onKeyDown } = useListbox(options, onChoose);
  return (
    <div className="relative">
      <input
        {...control}
        {...field}
        onChange={(event) => {
          setOpen(true);
          void field.onChange(event);
        }}
        onBlur={(event) => {
          setOpen(false);
          void field.onBlur(event);
        }}
        onKeyDown={onKeyDown}
        type="text"
        dir="auto"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={active === undefined ? undefined : `${listId}-${active}`}
        placeholder={placeholder}
        className={`input ${controlClass}`}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        hidden={!isOpen}
        className="suggested"
      >
        {options.map((option, index) => (
          <button
            key={option.name}
            id={`${listId}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {option.name}
          </button>
        ))}
      </div>
      <p role="status" className="sr-only">
        {isOpen && `${options.length} ${options.length === 1 ? "suggestion" : "suggestions"}`}
      </p>
    </div>
  );
}

function useListbox<O>(options: O[], onChoose: (option: O) => void) {
  const [wantsOpen, setWantsOpen] = useState(false);
  const [position, setPosition] = useState<number>();
  const isOpen = wantsOpen && options.length > 0;
  const active =
    isOpen && position !== undefined && position < options.length ? position : undefined;
  const setOpen = (open: boolean) => {
    setWantsOpen(open);
    setPosition(undefined);
  };
  const choose = (option: O) => {
    setOpen(false);
    onChoose(option);
  };
  const move = (step: 1 | -1) => {
    setWantsOpen(true);
    const from = active ?? (step === 1 ? -1 : 0);
    setPosition((from + step + options.length) % options.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const option = active === undefined ? undefined : options[active];
    const isHandled =
      (event.key === "ArrowDown" || event.key === "ArrowUp" ? options.length > 0 : isOpen) &&
      ["ArrowDown", "ArrowUp", "Escape", ...(option ? ["Enter"] : [])].includes(event.key);
    if (!isHandled) return;
    event.preventDefault();
    if (event.key === "Escape") setOpen(false);
    else if (event.key !== "Enter") move(event.key === "ArrowDown" ? 1 : -1);
    else if (option) choose(option);
  };
  return { active, isOpen, setOpen, choose, onKeyDown };
}
