import { useQuery } from "@tanstack/react-query";
import { issueHandoverCode } from "#contract/handover.ts";
import { browserApi } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { QrCode } from "#web/ui/QrCode.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";

/** For the buyer of a paid laptop: a new code each time it is opened, since the server keeps only a hash. */
export function HandoverCode({ bookingId }: { bookingId: string }) {
  const issued = useQuery({
    queryKey: ["hand-over code", bookingId],
    queryFn: () => issueCode(bookingId),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <>
      <p>
        Check the laptop first. Once you have it in your hands, show this to the seller. It
        completes the purchase, which can't be refunded after that.
      </p>
      <QueryState query={issued} skeleton={<Spinner />}>
        {({ code, qrCode }) => (
          <>
            <p role="status" className="text-center font-mono text-4xl tracking-widest">
              {`${code.slice(0, 3)} ${code.slice(3)}`}
            </p>
            <QrCode rows={qrCode} label="QR code of your hand-over code" />
          </>
        )}
      </QueryState>
      <p className="text-muted text-sm">
        Each time you open this page you get a new code, and only the newest works. Never send it to
        anyone before you have the laptop.
      </p>
    </>
  );
}

async function issueCode(bookingId: string) {
  const { code } = (await browserApi(issueHandoverCode, { body: { id: bookingId } })).body;
  const { encode } = await import("uqr");
  // In the fragment, which browsers send to no server.
  const link = `${location.origin}${paths.handover(bookingId)}#${code}`;
  return { code, qrCode: encode(link, { ecc: "M", border: 4 }).data };
}
