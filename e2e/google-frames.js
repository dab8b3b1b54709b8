/**
 * Replaces https://apis.google.com/js/api.js in tests. Implements the part of Google's frame
 * messages that Firebase's SDK and the emulator's frame use. Messages are sent by postMessage; a
 * number links each answer to its message.
 */
const handlers = new Map();
const callbacks = new Map();
let last = 0;

/**
 * Returns the promise of a message type's handler and the promise's resolvers, because a message
 * may arrive before its handler is registered.
 */
function handlerOf(type) {
  if (!handlers.has(type)) handlers.set(type, Promise.withResolvers());
  return handlers.get(type);
}

function peer(target, origin) {
  return {
    register: (type, handler) => handlerOf(type).resolve(handler),
    send(type, data, callback) {
      last += 1;
      callbacks.set(last, callback);
      target().postMessage({ type, data, number: last }, origin);
    },
    restyle: async () => [],
    ping: async (callback) => callback(),
  };
}

addEventListener("message", async ({ data: message, source }) => {
  const { type, answerTo, data, number } = Object(message);
  if (answerTo !== undefined) {
    try {
      callbacks.get(answerTo)([data]);
    } catch {
      // The SDK's callback throws even after a success.
    }
  }
  if (number === undefined) return;
  const handler = await handlerOf(type).promise;
  source.postMessage({ answerTo: number, data: await handler(data) }, "*");
});

const context = {
  async open({ where, url }, callback) {
    const frame = Object.assign(document.createElement("iframe"), { src: url, hidden: true });
    const loaded = new Promise((done) => frame.addEventListener("load", done));
    where.append(frame);
    await loaded;
    return await callback(peer(() => frame.contentWindow, new URL(url).origin));
  },
  getParentIframe: () => peer(() => parent, "*"),
};

window.gapi = {
  load: (_, { callback }) => callback(),
  iframes: { CROSS_ORIGIN_IFRAMES_FILTER: () => true, getContext: () => context },
};
window.gapi_onload?.();
window[new URL(document.currentScript.src).searchParams.get("onload")]?.();
