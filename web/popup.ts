/**
 * Opens a window at once, while the click that asked for it still counts, and leads it to the address once
 * that is known. Throws with a sentence where the browser allows none.
 */
export async function openPopup(address: Promise<string>): Promise<void> {
  const popup = open("about:blank", "_blank", "popup,width=480,height=640");
  try {
    const url = await address;
    if (!popup)
      throw new Error("Your browser kept the window from opening. Allow popups and try again.");
    popup.location.href = url;
  } catch (error) {
    popup?.close();
    throw error;
  }
}
