/** Whether this browser has passkeys and they work at this address: they belong to a host name. */
export function arePasskeysSupported(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);
}
