const provider = new URL(import.meta.url).origin;

/**
 * Creates an iframe of the sandbox with a MessageChannel. The iframe must ask for its port, because
 * WebKit loses messages that are sent at the load event.
 *
 * @param {string} file
 * @param {object} connectMessage
 * @param {(message: any) => void} onMessage
 */
export function openFrame(file, connectMessage, onMessage) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => onMessage(data);

  const frame = document.createElement("iframe");
  frame.src = `${provider}/stripe/frames/${file}`;
  frame.title = "Secure card payment input frame";
  frame.style.border = "0";
  frame.style.display = "block";
  frame.style.width = "100%";
  // An iframe whose color scheme differs from the page's gets an opaque background.
  frame.style.colorScheme = "light only";
  const connect = (/** @type {MessageEvent} */ { source, origin }) => {
    if (source !== frame.contentWindow || origin !== provider) return;
    removeEventListener("message", connect);
    frame.contentWindow?.postMessage(connectMessage, provider, [port2]);
  };
  addEventListener("message", connect);

  return { frame, send: (/** @type {object} */ command) => port1.postMessage(command) };
}
