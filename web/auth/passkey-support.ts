/** Whether passkeys work here. They need a host name, not an IP address. */
export function arePasskeysSupported(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);
}
