import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/**
 * A mutation for a button or form. Until it is over, and what it changed is read anew, asking again does
 * nothing: a button takes a moment to look busy, and a second click fits into that.
 */
export function useMutationOnce<D, V>(options: UseMutationOptions<D, Error, V>) {
  const mutation = useMutation(options);
  const underWay = useRef(false);
  const mutate: typeof mutation.mutate = (...asked) => {
    if (underWay.current) return;
    underWay.current = true;
    const over = () => {
      underWay.current = false;
    };
    mutation.mutateAsync(...asked).then(over, over);
  };
  return { ...mutation, mutate };
}
