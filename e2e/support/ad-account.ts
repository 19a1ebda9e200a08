import { expect } from '@playwright/test';
import type { ControlClient, PlatformWrite } from '../../scripts/simulator-clients/control-client.ts';

/** An ad account as Meta's simulator has it, independent of the product. */
export class AdAccount {
  readonly #graph: ControlClient;
  readonly id: string;
  readonly name: string;

  constructor(graph: ControlClient, id: string, name: string) {
    this.#graph = graph;
    this.id = id;
    this.name = name;
  }

  async idOf(campaign: string): Promise<string> {
    return (await this.#find(campaign)).id;
  }

  async statusOf(campaign: string): Promise<string> {
    return (await this.#find(campaign)).status;
  }

  async becomes(campaign: string, status: string): Promise<void> {
    await expect.poll(() => this.statusOf(campaign), { message: `${campaign} at Meta` }).toBe(status);
  }

  /** All status changes that Meta accepted, oldest first. */
  async writesTo(campaign: string): Promise<PlatformWrite[]> {
    const id = await this.idOf(campaign);
    return (await this.#graph.writes()).filter((write) => write.campaign === id);
  }

  /** A change in Ads Manager. */
  async changes(campaign: string, fields: object): Promise<void> {
    await this.#graph.post(`/campaigns/${await this.idOf(campaign)}`, fields);
  }

  async #find(name: string) {
    for (const campaign of (await this.#graph.campaigns()).values()) {
      if (campaign.name === name && campaign.account === this.id) return campaign;
    }
    throw new Error(`there is no campaign ${name} in ${this.name}`);
  }
}
