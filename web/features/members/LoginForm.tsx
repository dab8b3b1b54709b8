import { loginForm } from "#contract/members.ts";
import { useLogIn } from "#web/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { useCheckedForm } from "#web/ui/use-checked-form.ts";
import { DemoAccounts } from "./DemoAccounts.tsx";

/** Email and password login (specification 2 and 5). */
export function LoginForm() {
  const form = useCheckedForm(loginForm, { email: "", password: "" });
  const logIn = useLogIn();
  return (
    <>
      <form
        onSubmit={form.handleSubmit((who) => logIn.mutate(who))}
        noValidate
        className="flex flex-col gap-4"
      >
        <FormField form={form} name="email" label="Email" type="email" autoComplete="username" />
        <FormField
          form={form}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          hint="Forget Password?"
        />
        <Button type="submit" size="large" className="mt-2" busy={logIn.isPending}>
          Login
        </Button>
        <FormMessage message={logIn.error?.message} />
      </form>
      <DemoAccounts
        onChoose={(who) => {
          form.reset(who);
          logIn.mutate(who);
        }}
        busy={logIn.isPending}
      />
    </>
  );
}
