export const invitationsPath = "/dashboard/invitations";
