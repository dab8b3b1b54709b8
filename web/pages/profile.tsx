import { usesFirebase } from "#web/api/identity-client.ts";
import { requireMember } from "#web/auth/guard.ts";
import { useSession } from "#web/auth/session.ts";
import { DataExport, DeleteAccount } from "#web/features/account/AccountData.tsx";
import { Passkeys } from "#web/features/account/Passkeys.tsx";
import { ProfileSection } from "#web/features/account/ProfileSection.tsx";
import { Sessions } from "#web/features/account/Sessions.tsx";
import { TwoStepVerification } from "#web/features/account/TwoStepVerification.tsx";
import { ProfileForm } from "#web/features/members/ProfileForm.tsx";
import { AddRole, addedRole } from "#web/features/site/AddRole.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { FormMessage } from "#web/ui/Form.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import type { Route } from "./+types/profile.ts";

export const meta = pageMeta("Profile");

export const clientLoader = ({ request }: Route.ClientLoaderArgs) => requireMember(request);

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { user, isAdmin, isSeller, alsoBuys, needsSecondFactor } = useSession() ?? loaderData;
  const otherRole = isSeller ? "buyer" : "seller";
  return (
    <>
      <PageHeading title="Profile" />
      <div className="flex flex-col gap-8">
        {needsSecondFactor && (
          <FormMessage message="Admins need two-step verification. Set it up below to use the admin pages." />
        )}
        <ProfileForm key={user.uid} user={user} />
        {usesFirebase() ? (
          <ProfileSection
            title="Password"
            about="Google's Firebase signs you in and keeps your password. To change it, use Set a new password above. Passkeys and two-step verification aren't available."
          />
        ) : (
          <>
            <TwoStepVerification />
            <Passkeys />
          </>
        )}
        {/* Offers the role that the member doesn't have (decisions/members). */}
        {!isAdmin && !(isSeller && alsoBuys) && (
          <ProfileSection
            title={isSeller ? "Buy laptops too" : "Sell laptops too"}
            about={addedRole[otherRole]}
          >
            <div>
              <AddRole adds={otherRole} look="plain" />
            </div>
          </ProfileSection>
        )}
        <Sessions />
        <DataExport />
        {!isAdmin && <DeleteAccount />}
      </div>
    </>
  );
}
