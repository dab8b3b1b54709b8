const provider = new URL(import.meta.url).origin;

/**
 * A frame of the provider's, and a private line to it: it is greeted once it is there, by a message
 * that only the provider's own origin receives, and answers on the line that came with it.
 *
 * @param {string} file
 * @param {object} greeting
 * @param {(news: any) => void} onNews
 */
export function openFrame(file, greeting, onNews) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => onNews(data);

  const frame = document.createElement("iframe");
  frame.src = `${provider}/stripe/frames/${file}`;
  frame.title = "Secure card payment input frame";
  frame.style.border = "0";
  frame.style.display = "block";
  frame.style.width = "100%";
  // A frame whose colour scheme is not its page's would be painted on an opaque sheet.
  frame.style.colorScheme = "light only";
  const greet = () => frame.contentWindow?.postMessage(greeting, provider, [port2]);
  frame.addEventListener("load", greet, { once: true });

  return { frame, tell: (/** @type {object} */ order) => port1.postMessage(order) };
}
