import type { ControlClient, PlatformWrite } from '../outside/control-client.ts';
import { waitFor } from '../outside/wait-for.ts';

type Statuses = Record<string, 'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;

interface SimulatedAccount {
  id: string;
  name: string;
}

/** An ad account as Meta's simulator has it, independent of the product. */
export class AdAccount {
  readonly #graph: ControlClient;
  readonly id: string;
  readonly name: string;

  private constructor(graph: ControlClient, { id, name }: SimulatedAccount) {
    this.#graph = graph;
    this.id = id;
    this.name = name;
  }

  static async named(graph: ControlClient, name: string): Promise<AdAccount> {
    const { accounts } = await graph.ask<{ accounts: SimulatedAccount[] }>('GET', '/state');
    const account = accounts.find((one) => one.name === name);
    if (account === undefined) throw new Error(`there is no ad account ${name}`);
    return new AdAccount(graph, account);
  }

  async idOf(campaign: string): Promise<string> {
    return (await this.#find(campaign)).id;
  }

  async statusOf(campaign: string): Promise<string> {
    return (await this.#find(campaign)).status;
  }

  async becomes(campaign: string, status: string): Promise<void> {
    await waitFor(
      `${campaign} to be ${status} at Meta`,
      async () => (await this.statusOf(campaign)) === status,
    );
  }

  /** All status changes that Meta accepted, oldest first. */
  async writesTo(campaign: string): Promise<PlatformWrite[]> {
    const { id } = await this.#find(campaign);
    return (await this.#graph.writes()).filter((write) => write.campaign === id);
  }

  async #find(name: string) {
    for (const campaign of (await this.#graph.campaigns()).values()) {
      if (campaign.name === name && campaign.account === this.id) return campaign;
    }
    throw new Error(`there is no campaign ${name} in ${this.name}`);
  }
}

let lastNumber = 0;

/** Creates a Meta user with an ad account, so that tests do not share data. */
export async function newAdvertiser(
  graph: ControlClient,
  campaigns: Statuses,
): Promise<{ name: string; id: string; account: AdAccount }> {
  lastNumber += 1;
  const id = String(700_000_000 + lastNumber);
  const name = `Nora Lind ${lastNumber}.`;
  const accountName = `Lind Outdoor ${lastNumber}.`;
  const listed = Object.entries(campaigns).map(([campaign, status], index) => ({
    id: `${id}${String(index).padStart(3, '0')}`,
    name: campaign,
    status,
    objective: 'OUTCOME_SALES',
    daily_budget: '5000',
  }));
  const account = { id: `act_${id}`, name: accountName, currency: 'USD', campaigns: listed };
  await graph.post('/seed', {
    users: [{ id, name, email: `nora${lastNumber}@lind.example`, accounts: [account] }],
  });
  return { name, id, account: await AdAccount.named(graph, accountName) };
}
