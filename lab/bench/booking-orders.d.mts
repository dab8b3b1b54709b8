import type pg from "pg";

export type Order = { buyer: string; name: string; email: string; product: string };

export function createOrders(pool: pg.Pool, count: number): Promise<(wanted: number) => Order[]>;
