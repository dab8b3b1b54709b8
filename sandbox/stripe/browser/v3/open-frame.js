const provider = new URL(import.meta.url).origin;

/**
 * Creates an iframe of the sandbox and a MessageChannel to it. After loading, the iframe gets its port
 * with a message whose target origin is the sandbox.
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
  // An iframe with another colour scheme than its page gets an opaque background.
  frame.style.colorScheme = "light only";
  const connect = () => frame.contentWindow?.postMessage(connectMessage, provider, [port2]);
  frame.addEventListener("load", connect, { once: true });

  return { frame, send: (/** @type {object} */ command) => port1.postMessage(command) };
}
