/**
 * Opens a window at once, while the click that asked for it still counts, leads it to the address once
 * that is known, and waits until it is closed. Throws with a sentence where the browser allows none.
 */
export async function openPopup(address: Promise<string>): Promise<void> {
  const popup = open("about:blank", "_blank", "popup,width=480,height=640");
  if (!popup) {
    await address.catch(() => {});
    throw new Error("Your browser kept the window from opening. Allow popups here and try again.");
  }
  try {
    popup.location.href = await address;
    await closed(popup);
  } catch (error) {
    popup.close();
    throw error;
  }
}

function closed(popup: Window): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!popup.closed) return;
      clearInterval(timer);
      resolve();
    }, 300);
  });
}
