import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { pageContext } from "./api/api.ts";
import { renderQueries, ServerRenderContext, takeAppStart } from "./start/server-render.ts";

/** The build contains React Router, so that the server doesn't load the package a second time. */
export { createRequestHandler, RouterContextProvider } from "react-router";
/** The server sets this context for loaders (server/pages/site.ts). */
export { pageContext };

/** Renders the whole page before sending it, because the server caches the page's bytes. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
) {
  let failed = false;
  const nonce = crypto.randomUUID();
  const start = await takeAppStart(context);
  const { version } = loadContext.get(pageContext);
  const stream = await renderToReadableStream(
    <ServerRenderContext value={{ nonce, start, version, queries: renderQueries(loadContext) }}>
      <ServerRouter context={context} url={request.url} nonce={nonce} />
    </ServerRenderContext>,
    {
      // Otherwise React streams large parts later and moves them with inline scripts.
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

/** React Router would write errors to the console, including URLs. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  context.get(pageContext).logFailure(error);
};
