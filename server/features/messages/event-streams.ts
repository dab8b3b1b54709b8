import type { ServerResponse } from "node:http";
import type { Expression, SqlBool } from "kysely";
import { cacheTags } from "#contract/cache-tags.ts";
import { type MessageEvents, maxEventStreams } from "#contract/messages.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { TooManyRequests } from "../../errors.ts";

/** Finds a member who may sign in and for whom `condition` holds. */
type FindMember = (tx: Tx, id: string, condition: Expression<SqlBool>) => Promise<unknown>;

/** Maximum streams per process. */
const maxStreams = 5_000;
/** Per stream. A stream with more unread bytes is closed. */
const maxUnreadBytes = 16 * 1024;

/** This event is never replayed, because a browser that reconnects loads its deals again. */
const dealsChanged = "event: deals\ndata: {}\n\n";

/** `after`: the newest event that the browser has received. */
type Reader = { memberId: string; sessionId: string; after: number | undefined };

type Stream = Reader & {
  response: ServerResponse;
  checkedAt: number;
  sending: boolean;
  again: boolean;
};

/** Events contain no message text, so that a stream can't leak hidden contact details. */
export class EventStreams {
  readonly #deps: Deps;
  readonly #findActiveMember: FindMember;
  readonly #streams = new Map<string, Set<Stream>>();
  readonly #heartbeat: NodeJS.Timeout;
  #open = 0;
  #closed = false;

  constructor(deps: Deps, findActiveMember: FindMember) {
    this.#deps = deps;
    this.#findActiveMember = findActiveMember;
    const { heartbeat } = deps.config.httpTimeouts;
    this.#heartbeat = setInterval(() => void this.#beat(), heartbeat).unref();
    deps.publicCache.onChanges((tags) => this.#wakeTagged(tags));
  }

  /** Sends the events that the reader missed, and then new ones. Throws `TOO_MANY_REQUESTS`. */
  open(reader: Reader, startResponse: () => ServerResponse): void {
    const own = this.#streams.get(reader.memberId) ?? new Set();
    if (own.size >= maxEventStreams || this.#open >= maxStreams) throw new TooManyRequests(60);
    const response = startResponse();
    const stream = { ...reader, response, checkedAt: Date.now(), sending: false, again: false };
    this.#streams.set(reader.memberId, own.add(stream));
    this.#open += 1;
    response.once("close", () => this.#remove(stream));
    response.on("error", () => {});
    if (this.#closed) response.end();
    else void this.#send(stream);
  }

  /** Ends all streams; browsers reconnect to another process. */
  close(): void {
    clearInterval(this.#heartbeat);
    this.#closed = true;
    for (const { response } of this.#all()) response.end();
  }

  #all(): Stream[] {
    return [...this.#streams.values()].flatMap((own) => [...own]);
  }

  #remove(stream: Stream): void {
    const own = this.#streams.get(stream.memberId);
    if (!own?.delete(stream)) return;
    this.#open -= 1;
    if (own.size === 0) this.#streams.delete(stream.memberId);
  }

  /**
   * Tags such as `inbox:<id>` and `deals:<id>` name a member. The tag `all` wakes every stream,
   * because this process might have missed changes.
   */
  #wakeTagged(tags: readonly string[]): void {
    for (const tag of tags) {
      if (tag === cacheTags.all) for (const stream of this.#all()) void this.#send(stream);
      const [kind, memberId = ""] = tag.split(":");
      for (const stream of this.#streams.get(memberId) ?? []) {
        if (kind === "inbox") void this.#send(stream);
        if (kind === "deals") this.#write(stream, dealsChanged);
      }
    }
  }

  /** Queries again if more changes arrive while events are being sent. */
  async #send(stream: Stream): Promise<void> {
    stream.again = true;
    if (stream.sending) return;
    stream.sending = true;
    try {
      while (stream.again) {
        stream.again = false;
        const events = await readMessageEvents(this.#deps.db, stream.memberId, stream.after);
        if (events.event !== stream.after) this.#write(stream, textOf(events));
        stream.after = events.event;
      }
    } catch {
      // The database may be down. Ending the stream makes the browser reconnect.
      stream.response.end();
    } finally {
      stream.sending = false;
    }
  }

  #write({ response }: Stream, text: string): void {
    if (response.writableLength > maxUnreadBytes) response.destroy();
    else if (!response.writableEnded) response.write(text);
  }

  async #beat(): Promise<void> {
    const { sessionCheck } = this.#deps.config.httpTimeouts;
    for (const stream of this.#all()) this.#write(stream, ": still here\n\n");
    for (const stream of this.#all()) {
      if (Date.now() - stream.checkedAt < sessionCheck || stream.response.destroyed) continue;
      stream.checkedAt = Date.now();
      if (await this.#isSignedIn(stream)) await this.#send(stream);
      else stream.response.end();
    }
  }

  async #isSignedIn({ memberId, sessionId }: Stream): Promise<boolean> {
    const { db, identity } = this.#deps;
    const isLive = identity.sessions.isLive(sessionId);
    const member = await this.#findActiveMember(db, memberId, isLive).catch(() => undefined);
    return member !== undefined;
  }
}

function textOf({ event, conversations }: MessageEvents): string {
  return `id: ${event}\nevent: changes\ndata: ${JSON.stringify({ event, conversations })}\n\n`;
}

/** Maximum conversations per read. Later reads return the remaining ones. */
const maxPerRead = 200;

/** Without `after`, returns only the number of the latest event. */
export async function readMessageEvents(
  tx: Tx,
  memberId: string,
  after: number | undefined,
): Promise<MessageEvents> {
  if (after === undefined) {
    const inbox = await tx
      .selectFrom("message_inboxes")
      .select("changes")
      .where("member_id", "=", memberId)
      .executeTakeFirst();
    return { event: Number(inbox?.changes ?? 0), conversations: [] };
  }
  const rows = await tx
    .selectFrom("conversation_members")
    .select(["conversation_id", "change"])
    .where("member_id", "=", memberId)
    .where("change", ">", String(after))
    .orderBy("change")
    .limit(maxPerRead)
    .execute();
  const newest = rows.at(-1);
  return {
    event: newest ? Number(newest.change) : after,
    conversations: rows.map(({ conversation_id }) => conversation_id),
  };
}
