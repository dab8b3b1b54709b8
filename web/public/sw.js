/** The logo is inlined, because nothing can be fetched while offline. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="56" height="56" aria-hidden="true">
  <rect width="32" height="32" rx="9.5" fill="#005b46"/>
  <g fill="none" stroke="#f1fcf6" stroke-width="2.8" stroke-linecap="round">
    <rect x="6.5" y="7" width="19" height="12" rx="6" stroke-opacity=".35"/>
    <path d="M6.5 13a6 6 0 0 1 6-6h7a6 6 0 0 1 6 6M5.5 24.5h21"/>
  </g>
  <circle cx="25.5" cy="13" r="2.7" fill="#fbb862"/>
</svg>`;

/** The offline page. The worker caches nothing, so nobody sees old prices (decisions/pages). */
const offline = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>You're offline</title>
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo)}">
    <style>
      body { margin: 0 }
      html { font: 1.0625rem/1.55 ui-sans-serif, system-ui, sans-serif; color: #14211f; background: #f6f7f3 }
      main { display: grid; place-content: center; justify-items: center; gap: 1rem; min-height: 100vh;
        padding: 1.5rem; box-sizing: border-box; text-align: center }
      h1 { margin: 0; font-size: 2rem; line-height: 1.1; letter-spacing: -.02em }
      p { margin: 0; max-width: 34rem }
      a { margin-top: .5rem; padding: .75rem 1.75rem; border-radius: .75rem; font-weight: 600;
        text-decoration: none; color: #f7fcf9; background: #005c49 }
      a:focus-visible { outline: 2px solid; outline-offset: 3px }
      @media (prefers-color-scheme: dark) {
        html { color: #e9eeea; background: #0c1716 }
        a { color: #06201a; background: #79d8b3 }
      }
    </style>
  </head>
  <body><main>
    ${logo}
    <h1>You're offline</h1>
    <p>We can't reach the shop. Check your connection and try again. Anything you've typed is saved.</p>
    <a href="">Try again</a>
  </main></body>
</html>`;

addEventListener("activate", (event) => {
  // With navigation preload, a request doesn't wait for the worker to start.
  event.waitUntil(registration.navigationPreload?.enable());
});

addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(open(event));
});

async function open(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
    return new Response(offline, { status: 503, headers });
  }
}
