import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/**
 * A mutation that ignores further calls until the affected queries are refetched. A double click
 * can be faster than the button's busy state.
 */
export function useMutationOnce<D, V>(options: UseMutationOptions<D, Error, V>) {
  const mutation = useMutation(options);
  const underWay = useRef(false);
  const mutate: typeof mutation.mutate = (...args) => {
    if (underWay.current) return;
    underWay.current = true;
    const over = () => {
      underWay.current = false;
    };
    mutation.mutateAsync(...args).then(over, over);
  };
  return { ...mutation, mutate };
}
