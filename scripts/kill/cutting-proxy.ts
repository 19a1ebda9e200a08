import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { Dice } from './dice.ts';

/** A TCP connection to another port of this machine through which everything goes, until it is cut. */
export class CuttingProxy {
  /** The share of what a client sends after which its connection is cut: half before it is passed on, half after. */
  cutShare = 0;
  cuts = 0;
  port = 0;
  readonly #target: number;
  readonly #dice: Dice;
  readonly #open = new Set<Socket>();
  readonly #server = createServer((client) => this.#join(client));

  constructor(target: number, dice: Dice) {
    this.#target = target;
    this.#dice = dice;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  cutAll(): void {
    for (const one of this.#open) this.#cut(one);
  }

  async close(): Promise<void> {
    this.cutAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1');
    const ends = [client, server];
    const drop = (): void => {
      for (const one of ends) one.destroy();
      this.#open.delete(client);
    };
    this.#open.add(client);
    for (const one of ends) one.on('error', drop).on('close', drop);
    server.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      const isCut = this.#dice.chance(this.cutShare);
      const isPassedOn = !isCut || this.#dice.chance(0.5);
      const cutIfDue = (): void => {
        if (isCut) this.#cut(client);
      };
      if (isPassedOn) server.write(bytes, cutIfDue);
      else cutIfDue();
    });
  }

  #cut(client: Socket): void {
    this.cuts += 1;
    client.destroy();
  }
}
