import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  ServerRouter,
} from "react-router";
import { logFailure } from "./api/api.ts";
import { CspNonce } from "./csp-nonce.ts";

/** What the server fills in for the loaders. */
export { fetchContext, inProduction, inStaging, logFailure } from "./api/api.ts";

/** Renders a page whole: it is kept as bytes for everyone, so there is nothing to stream it to. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
) {
  let failed = false;
  const nonce = crypto.randomUUID();
  const stream = await renderToReadableStream(
    <CspNonce.Provider value={nonce}>
      <ServerRouter context={context} url={request.url} nonce={nonce} />
    </CspNonce.Provider>,
    {
      // Otherwise React sends large parts late and moves them with scripts of its own.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: () => {
        failed = true;
      },
    },
  );
  await stream.allReady;
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("csp-nonce", nonce);
  return new Response(stream, { status: failed ? 500 : status, headers });
}

/** Without this, React Router writes errors and the URLs they came by to the console. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.get(logFailure)(error);
};
