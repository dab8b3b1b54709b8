import type { ComponentProps } from "react";
import type { Call, Request } from "#contract/call.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { type CallOptions, useCall } from "./api.ts";

type CallProps<C extends Call> = Pick<CallOptions<C>, "success" | "onSuccess"> & {
  call: C;
  request: Request<C>;
};

type CallButtonProps<C extends Call> = CallProps<C> &
  Omit<ComponentProps<typeof Button>, "busy" | "onClick">;

/** A button, by default plain and small, that makes a call, and is busy until its changes show. */
export function CallButton<C extends Call>(props: CallButtonProps<C>) {
  const { call, request, success, onSuccess, look = "plain", size = "small", ...button } = props;
  const send = useCall(call, { success, onSuccess });
  return (
    <Button
      {...button}
      look={look}
      size={size}
      busy={send.isPending}
      onClick={() => send.mutate(request)}
    />
  );
}

type ConfirmCallButtonProps<C extends Call> = CallProps<C> &
  Omit<ComponentProps<typeof ConfirmButton>, "busy" | "onConfirm">;

/** A button that makes a call once the member has confirmed it. */
export function ConfirmCallButton<C extends Call>(props: ConfirmCallButtonProps<C>) {
  const { call, request, success, onSuccess, ...button } = props;
  const send = useCall(call, { success, onSuccess });
  return (
    <ConfirmButton
      {...button}
      busy={send.isPending}
      onConfirm={(done) => send.mutate(request, { onSettled: done })}
    />
  );
}
