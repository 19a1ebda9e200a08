import type { ControlDoor, PlatformWrite } from '../outside/control-door.ts';

type Statuses = Record<string, 'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;

interface SimulatedAccount {
  id: string;
  name: string;
}

/** An ad account as it is on the platform, whatever the product says. */
export class AdAccount {
  readonly #graph: ControlDoor;
  readonly id: string;
  readonly name: string;

  private constructor(graph: ControlDoor, { id, name }: SimulatedAccount) {
    this.#graph = graph;
    this.id = id;
    this.name = name;
  }

  static async named(graph: ControlDoor, name: string): Promise<AdAccount> {
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

  /** Every change of its status that the platform accepted, oldest first. */
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

/** Somebody new on the platform with an ad account of their own, so that tests do not meet. */
export async function newAdvertiser(
  graph: ControlDoor,
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
