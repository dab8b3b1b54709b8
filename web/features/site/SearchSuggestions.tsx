import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { useNavigate } from "react-router";
import { listSuggestions } from "#contract/search.ts";
import { publicApi } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";

/** Follows the ARIA combobox pattern. Loads late, so it adds its listeners to the existing form. */
export default function SearchSuggestions() {
  const id = useId();
  const [input] = useState(() => document.querySelector<HTMLInputElement>(".site-search input"));
  const [typed, setTyped] = useState(() => input?.value ?? "");
  const [isOpen, setOpen] = useState(() => typed !== (input?.defaultValue ?? ""));
  const [chosen, setChosen] = useState(-1);
  const found = useSuggestions(isOpen ? typed : "");
  const items = isOpen ? found : [];
  const active = chosen < items.length ? chosen : -1;
  const navigate = useNavigate();
  const searchFor = (text: string) => {
    setOpen(false);
    void navigate(paths.search(text.trim()));
  };
  const close = () => {
    setOpen(false);
    setChosen(-1);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && items.length > 0) close();
    else if (step !== undefined) {
      setOpen(true);
      // One more position than there are items: the search box itself, with no item chosen.
      const places = items.length + 1;
      setChosen(((active + 1 + step + places) % places) - 1);
    } else return;
    event.preventDefault();
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    searchFor(items[active]?.text ?? input?.value ?? "");
  };
  const onInput = () => {
    setTyped(input?.value ?? "");
    setOpen(true);
    setChosen(-1);
  };

  useEffect(() => {
    // Reads text that was typed before the listeners were added.
    if (input && input.value !== typed) onInput();
    const listeners = new AbortController();
    const { signal } = listeners;
    input?.form?.addEventListener("submit", onSubmit, { signal });
    input?.addEventListener("input", onInput, { signal });
    input?.addEventListener("keydown", onKeyDown, { signal });
    input?.addEventListener("blur", close, { signal });
    const attributes = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": String(items.length > 0),
      "aria-controls": id,
      "aria-activedescendant": active >= 0 ? `${id}-${active}` : "",
    };
    for (const [name, value] of Object.entries(attributes)) input?.setAttribute(name, value);
    return () => listeners.abort();
  });

  if (items.length === 0) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      className="absolute inset-x-0 top-full z-10 mt-1 overflow-hidden rounded-box border border-line bg-base-100 shadow-over"
    >
      {items.map(({ text }, index) => (
        <div
          key={text}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={`cursor-pointer px-4 py-2.5 hover:bg-base-200 ${index === active ? "bg-base-200" : ""}`}
          // Unlike a click, this event arrives before the search box loses focus.
          onPointerDown={(event) => {
            event.preventDefault();
            searchFor(text);
          }}
        >
          {text}
        </div>
      ))}
    </div>
  );
}

function useSuggestions(typed: string) {
  const q = typed.trimStart().toLowerCase();
  const { data } = useQuery({
    queryKey: [listSuggestions.path, q],
    queryFn: async ({ signal }) => {
      const api = publicApi((input, init) => fetch(input, { ...init, signal }));
      return (await api(listSuggestions, { query: { q } })).body.items;
    },
    enabled: q.length >= 2,
    staleTime: 60_000,
    retry: false,
    placeholderData: (before) => before,
    meta: { reads: [] },
  });
  return q.length >= 2 ? (data ?? []) : [];
}
