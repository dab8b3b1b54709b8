type Client = { query(text: string, values?: unknown[]): Promise<unknown> };
export function fill(client: Client, laptops: number): Promise<void>;
