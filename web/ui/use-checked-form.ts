import { zodResolver } from "@hookform/resolvers/zod";
import { type DefaultValues, type FieldValues, useForm } from "react-hook-form";
import type { z } from "zod";

/** A form whose values a schema checks, once a field is left and when it is sent. */
export function useCheckedForm<I extends FieldValues, O>(
  schema: z.ZodType<O, I>,
  defaultValues: DefaultValues<I>,
) {
  return useForm<I, unknown, O>({
    resolver: zodResolver(schema),
    mode: "onTouched",
    defaultValues,
  });
}
