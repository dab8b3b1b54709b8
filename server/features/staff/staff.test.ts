import { describe, expect } from "vitest";
import { readSecondFactors } from "#contract/account.ts";
import { listAuditLog } from "#contract/audit.ts";
import { listComplaints } from "#contract/complaints.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { deleteUser, isAdmin, listBuyers, toggleSuspension } from "#contract/members.ts";
import { readNeedsYou } from "#contract/needs-you.ts";
import { acceptOffer, makeOffer } from "#contract/offers.ts";
import { listPayments } from "#contract/payments.ts";
import { reportProduct } from "#contract/reports.ts";
import { readShopSettings } from "#contract/shop-settings.ts";
import {
  acceptStaffInvitation,
  changeStaffRole,
  inviteStaff,
  listOwners,
  listStaff,
  removeStaff,
  revokeStaffInvitation,
} from "#contract/staff.ts";
import { updateSessions } from "../../adapters/identity/testing.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { queuedEmails, tokenIn } from "../../testing/inbox.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";
import { changeAdmin } from "./change-staff-role.ts";

const test = shopTest();

const forbidden = (message: string) => ({ status: 403, code: "FORBIDDEN", message });

async function tokenFor(
  shop: Shop,
  owner: Person,
  { email }: Person,
  role: "finance" | "support" = "finance",
): Promise<string> {
  await owner.call(inviteStaff, { body: { email, role } });
  const mails = (await queuedEmails(shop)).filter(({ to }) => to === email);
  return tokenIn(mails.at(-1) ?? { text: "" });
}

const accept = (who: Person, token: string) => who.call(acceptStaffInvitation, { body: { token } });

describe("roles", () => {
  test("finance staff can read payments, but not complaints or the shop's settings", async ({
    shop,
    admin,
  }) => {
    const finance = await member(shop, { staffRole: "finance" });
    await finance.call(listPayments, {});
    await finance.call(listBuyers, {});
    expect(await errorOf(finance.call(readShopSettings, {}))).toMatchObject(
      forbidden("Only owners can do this."),
    );
    expect(await errorOf(finance.call(listComplaints, {}))).toMatchObject(
      forbidden("Only owners and support staff can do this."),
    );
    expect(await finance.call(isAdmin, { params: { email: finance.email } })).toEqual({
      isAdmin: true,
    });
    expect(await finance.call(listOwners, {})).toContain(admin.name);
    expect(await finance.call(readSecondFactors, {})).toMatchObject({ staffRole: "finance" });
    const buyer = await member(shop);
    expect(await buyer.call(readSecondFactors, {})).toMatchObject({ staffRole: null });
  });

  test("an admin sees only the counts and items that their role may act on", async ({ shop }) => {
    const [moderator, finance] = [
      await member(shop, { staffRole: "moderation" }),
      await member(shop, { staffRole: "finance" }),
    ];
    const product = await listing(await member(shop, { accountType: "seller" }));
    const body = { comment: "Stolen.", reportProduct: { _id: product } };
    await (await member(shop)).call(reportProduct, { body });
    const difference = { provider_cents: "100", ledger_cents: "0", found_at: shop.clock.now() };
    await shop.deps.db
      .insertInto("ledger_differences")
      .values({ reference: "re_staff", ...difference })
      .execute();
    const [seenByModerator, seenByFinance] = [
      await moderator.call(readNeedsYou, {}),
      await finance.call(readNeedsYou, {}),
    ];
    expect(seenByModerator).toMatchObject({ items: [], queues: { reports: 1 } });
    expect(seenByFinance).toMatchObject({
      items: [{ reason: "difference", transactionId: "re_staff" }],
      queues: { reports: 0, listings: 0, problems: 0 },
    });
  });

  test("a role change or removal takes effect on the admin's next request", async ({
    shop,
    admin,
  }) => {
    const other = await member(shop, { isAdmin: true });
    await other.call(readShopSettings, {});
    await admin.call(changeStaffRole, { params: { id: other.id }, body: { role: "support" } });
    expect(await errorOf(other.call(readShopSettings, {}))).toMatchObject({ code: "FORBIDDEN" });
    await other.call(listComplaints, {});
    const { staff } = await admin.call(listStaff, {});
    const since = shop.clock.now().toISOString();
    expect(staff.find(({ _id }) => _id === other.id)).toMatchObject({ role: "support", since });
    await admin.call(removeStaff, { params: { id: other.id } });
    expect(await errorOf(other.call(listComplaints, {}))).toMatchObject(
      forbidden("Only admins can do this."),
    );
    const entries = await admin.call(listAuditLog, { query: { objectId: other.id } });
    expect(entries.slice(0, 2)).toMatchObject([
      { verb: "revoke admin", actor: { _id: admin.id } },
      { verb: "grant admin", actor: { _id: admin.id }, detail: { role: "support" } },
    ]);
    const again = admin.call(removeStaff, { params: { id: other.id } });
    expect(await errorOf(again)).toMatchObject({ status: 404 });
  });

  test("staff changes require a recent sign-in", async ({ shop, admin }) => {
    const late = await member(shop, { isAdmin: true });
    const createdAt = new Date(shop.clock.now().getTime() - 11 * 60_000);
    await updateSessions(shop.deps.db, { createdAt }, late.email);
    const params = { id: admin.id };
    for (const asked of [
      () => late.call(changeStaffRole, { params, body: { role: "support" } }),
      () => late.call(removeStaff, { params }),
      () => late.call(inviteStaff, { body: { email: "new@example.com", role: "support" } }),
    ])
      expect(await errorOf(asked())).toMatchObject({ code: "CONFIRM_PROVIDER" });
  });
});

describe("the last owner", () => {
  test("the last owner can't be removed, demoted, deleted or suspended", async ({
    shop,
    admin,
  }) => {
    await onlyOwners(shop, [admin]);
    const params = { id: admin.id };
    const refused = {
      code: "IN_USE",
      message: `${admin.name} is the only owner. Make somebody else an owner first.`,
    };
    const demotion = admin.call(changeStaffRole, { params, body: { role: "finance" } });
    expect(await errorOf(demotion)).toMatchObject(refused);
    expect(await errorOf(admin.call(removeStaff, { params }))).toMatchObject(refused);
    expect(await errorOf(admin.call(deleteUser, { params }))).toMatchObject({ code: "IN_USE" });
    const moderator = await member(shop, { staffRole: "moderation" });
    const suspension = moderator.call(toggleSuspension, {
      body: { id: admin.id, suspended: false },
    });
    expect(await errorOf(suspension)).toMatchObject({ code: "IN_USE" });
  });

  test("if two owners demote or remove each other at the same time, one of them stays an owner", async ({
    shop,
    admin,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const other = await member(shop, { isAdmin: true });
      await onlyOwners(shop, [admin, other]);
      const outcomes = await Promise.allSettled([
        admin.call(changeStaffRole, { params: { id: other.id }, body: { role: "support" } }),
        other.call(removeStaff, { params: { id: admin.id } }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      await onlyOwners(shop, [admin]);
    }
  });
});

/** Makes these members owners, and all other owners support staff. */
async function onlyOwners({ deps }: Shop, owners: Person[]): Promise<void> {
  const ids = owners.map(({ id }) => id);
  const all = deps.db.updateTable("members");
  await all.set({ staff_role: "support" }).where("staff_role", "=", "owner").execute();
  await all.set({ staff_role: "owner" }).where("id", "in", ids).execute();
}

describe("a staff invitation", () => {
  test("a staff invitation is emailed in the shop's name, and its link grants the role only once", async ({
    shop,
    admin,
  }) => {
    const invited = await member(shop);
    const token = await tokenFor(shop, admin, invited);
    const mail = (await queuedEmails(shop)).find(({ to }) => to === invited.email);
    expect(mail?.subject).toBe("Join the staff of Secondlap");
    expect(mail?.text).toContain(
      `${admin.name} invites you to help run Secondlap on the finance staff.`,
    );
    await accept(invited, token);
    await invited.call(listPayments, {});
    expect(await errorOf(accept(invited, token))).toMatchObject({ code: "LINK_EXPIRED" });
    const { invitations } = await admin.call(listStaff, {});
    expect(invitations.map(({ email }) => email)).not.toContain(invited.email);
    const again = admin.call(inviteStaff, { body: { email: invited.email, role: "support" } });
    expect(await errorOf(again)).toMatchObject({ code: "IN_USE" });
    const rows = await shop.deps.db.selectFrom("audit_log").selectAll().execute();
    expect(rows.map(({ verb }) => verb)).toEqual(
      expect.arrayContaining(["invite to staff", "accept", "grant admin"]),
    );
    expect(JSON.stringify(rows)).not.toContain(invited.email);
  });

  test("a staff invitation can't be accepted with a different or unconfirmed address, or during an open deal, but stays valid", async ({
    shop,
    admin,
  }) => {
    const [invited, other] = [await member(shop), await member(shop)];
    const token = await tokenFor(shop, admin, invited);
    expect(await errorOf(accept(other, token))).toMatchObject({ code: "NOT_YOUR_ADDRESS" });
    const confirmed = (at: Date | null) =>
      shop.deps.db
        .updateTable("members")
        .set({ confirmed_at: at })
        .where("id", "=", invited.id)
        .execute();
    await confirmed(null);
    expect(await errorOf(accept(invited, token))).toMatchObject({ code: "ADDRESS_NOT_CONFIRMED" });
    await confirmed(shop.clock.now());
    await bookLaptop(invited, await listing(await member(shop, { accountType: "seller" })));
    expect(await errorOf(accept(invited, token))).toMatchObject({
      code: "IN_USE",
      message: expect.stringMatching(/^You have a laptop held or not yet handed over/),
    });
    const { invitations } = await admin.call(listStaff, {});
    expect(invitations.map(({ email }) => email)).toContain(invited.email);
  });

  test("a buyer's open offers end when the buyer joins the staff, so that no admin gets a hold", async ({
    shop,
    admin,
  }) => {
    const [buyer, seller] = [await member(shop), await member(shop, { accountType: "seller" })];
    const product = await listing(seller);
    const offer = { product: { _id: product }, price: 300, phone: "5550178", location: "Station" };
    const { insertedId: id } = await buyer.call(makeOffer, { body: offer });
    const token = await tokenFor(shop, admin, buyer);
    const becomeStaff = shop.deps.db.updateTable("members").where("id", "=", buyer.id);
    await becomeStaff.set({ staff_role: "support" }).execute();
    const accepting = () => errorOf(seller.call(acceptOffer, { params: { id } }));
    expect(await accepting()).toMatchObject({ status: 404, code: "NOT_FOUND" });
    await becomeStaff.set({ staff_role: null }).execute();
    await accept(buyer, token);
    expect(await accepting()).toMatchObject({ status: 409, code: "STALE" });
    expect(await seller.call(readProduct, { params: { id: product } })).toMatchObject({
      sales_status: "available",
    });
  });

  test("making a member an owner with npm run admin ends their open staff invitation", async ({
    shop,
    admin,
  }) => {
    const invited = await member(shop);
    const token = await tokenFor(shop, admin, invited);
    await changeAdmin(shop.deps, { email: invited.email, isAdmin: true });
    expect(await errorOf(accept(invited, token))).toMatchObject({ code: "LINK_EXPIRED" });
    const { staff, invitations } = await invited.call(listStaff, {});
    expect(staff.find(({ _id }) => _id === invited.id)).toMatchObject({ role: "owner" });
    expect(invitations.map(({ email }) => email)).not.toContain(invited.email);
  });

  test("a staff invitation ends when it expires, is revoked or replaced, or when its sender is no longer an owner", async ({
    shop,
    admin,
  }) => {
    const invited = await member(shop);
    const expired = { status: 409, code: "LINK_EXPIRED" };
    const first = await tokenFor(shop, admin, invited);
    const second = await tokenFor(shop, admin, invited, "support");
    expect(await errorOf(accept(invited, first))).toMatchObject(expired);
    const { invitations } = await admin.call(listStaff, {});
    const open = invitations.find(({ email }) => email === invited.email);
    expect(open).toMatchObject({ role: "support" });
    await admin.call(revokeStaffInvitation, { params: { id: open?._id ?? "" } });
    expect(await errorOf(accept(invited, second))).toMatchObject(expired);

    const former = await member(shop, { isAdmin: true });
    const third = await tokenFor(shop, former, invited);
    await admin.call(changeStaffRole, { params: { id: former.id }, body: { role: "support" } });
    expect(await errorOf(accept(invited, third))).toMatchObject(expired);

    const last = await tokenFor(shop, admin, invited);
    shop.clock.advance(7 * 24 * 60);
    expect(await errorOf(accept(invited, last))).toMatchObject(expired);
    expect((await admin.call(listStaff, {})).invitations).toEqual([]);
  });
});
