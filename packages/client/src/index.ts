export type * from './client.ts';
export type * from './transport.ts';
