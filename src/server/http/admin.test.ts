import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PlatformStatus } from '#contract/shapes.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { seconds } from '#core/time.ts';
import { ROLES } from '#core/roles.ts';
import type { Role } from '#core/roles.ts';
import { setRole } from '../services/admin/roles.ts';
import { ROOT } from '../../../scripts/run.ts';
import type { UserOverHttp } from '../../../scripts/simulator-clients/user.ts';
import { signIn } from '../../../scripts/simulator-clients/user.ts';

const BOSS = '7111000000001';
const DEVELOPER = '7111000000002';
describe('admins', () => {
  const suite = startSuite({
    environment: { ADMIN_PLATFORM_IDS: `${BOSS}, ${DEVELOPER}:developers` },
  });
  let boss: UserOverHttp;
  let who: Advertiser;

  beforeAll(async () => {
    const users = [
      { id: BOSS, name: 'The Boss', accounts: [] },
      { id: DEVELOPER, name: 'Dev Eloper', accounts: [] },
    ];
    await suite.simulators.graph.post('/seed', { users });
    boss = await signIn(suite.product.url, BOSS);
    who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.until('the status to be read', async () => (await statusOf(who.user)) === 'UP');
  });

  const statusOf = async (user: UserOverHttp) => (await user.get<{ status: string }>('/api/status')).status;
  const admin = (path: string) => boss.get<Record<string, unknown>>(`/api/admin/${path}`);

  test('[ADMIN-08] roles are assigned at login by the configuration', async () => {
    const developer = await signIn(suite.product.url, DEVELOPER);
    const roles = async (user: UserOverHttp) =>
      (await user.get<{ user: { roles: string[] } }>('/api/me')).user.roles;
    expect([await roles(boss), await roles(developer), await roles(who.user)]).toEqual([
      ['administrators'],
      ['developers'],
      [],
    ]);
    expect((await developer.call('GET', '/api/admin/stats')).status).toBe(200);
  });

  test('[API-17, API-18, API-19] an admin reads counts, activity and the status', async () => {
    expect(await admin('stats')).toEqual({ totalUsers: 3, activeUsers: 1, smartPauseCampaigns: 1 });
    const { activities } = await boss.get<{ activities: Record<string, unknown>[] }>(
      '/api/admin/recent-activity',
    );
    expect(activities[0]).toMatchObject({
      id: expect.stringMatching(/^\d+$/) as string,
      type: expect.stringMatching(/^(pause|resume|login|setting|other)$/) as string,
      message: expect.any(String) as string,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect(activities.some(({ user, type }) => user === 'The Boss' && type === 'login')).toBe(true);
    expect(await admin('status')).toEqual({
      trueMetaStatus: 'UP',
      adminDirective: null,
      effectiveStatus: 'UP',
      isOverridden: false,
      statusMessage: expect.any(String) as string,
      isProductionLike: false,
    });
  });

  test('[API-20, ENG-03, ADMIN-05] an override pauses campaigns, and its end resumes them', async () => {
    for (const level of ['LOW', 'MEDIUM', 'HIGH']) {
      await boss.post(`/api/admin/force-${level.toLowerCase()}`);
      expect(await statusOf(who.user)).toBe(`${level}_DISRUPTION`);
    }
    expect((await boss.call('POST', '/api/admin/force-sideways')).status).toBe(404);
    const overridden = await who.user.get('/api/status');
    expect(overridden).toMatchObject({
      isOverridden: true,
      message: 'Status set by the SmartPause team: high disruption',
    });
    expect(overridden).not.toHaveProperty('quote');
    await suite.become(who, ['PAUSED']);
    expect(await admin('status')).toMatchObject({
      trueMetaStatus: 'UP',
      adminDirective: 'FORCE_HIGH',
      effectiveStatus: 'HIGH_DISRUPTION',
      isOverridden: true,
      statusMessage: 'Ads Delivery: No known issues',
    });
    await boss.post('/api/admin/force-up');
    await suite.become(who, ['ACTIVE']);
    await boss.post('/api/admin/clear');
    expect(await admin('status')).toMatchObject({ adminDirective: null, isOverridden: false });
    expect(await who.user.get('/api/status')).not.toHaveProperty('isOverridden');
  });

  test('[UX-23] an override says whom it touches, by level, and keeps its reason', async () => {
    const reach = (level: string) => admin(`override-reach/${level}`);
    const settings = { resumeSettings: { mode: 'instant' }, email: 'a@example.com' };
    await who.user.post('/api/user/settings', { ...settings, outageThreshold: 'MEDIUM' });
    const none = { users: 0, pauses: 0, resumes: 0 };
    expect(await reach('force-low')).toEqual(none);
    expect(await reach('force-medium')).toEqual({ users: 1, pauses: 1, resumes: 0 });
    expect((await boss.call('GET', '/api/admin/override-reach/grant-subscription')).status).toBe(404);
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    suite.product.clock.advance(seconds(60));
    const setAt = suite.product.clock.now();
    await boss.post('/api/admin/force-medium', { reason: ' Meta’s page is late ' });
    const { downSince } = await who.user.get<PlatformStatus>('/api/status');
    expect(Date.parse(downSince ?? '')).toBeGreaterThanOrEqual(setAt);
    await suite.become(who, ['PAUSED']);
    expect(await reach('force-high')).toEqual(none);
    for (const level of ['force-low', 'clear'])
      expect(await reach(level)).toEqual({ users: 1, pauses: 0, resumes: 1 });
    suite.product.clock.advance(seconds(6));
    const { statusPage } = (await admin('system-health')) as { statusPage: object };
    expect(statusPage).toMatchObject({
      override: { directive: 'FORCE_MEDIUM', reason: 'Meta’s page is late', by: 'The Boss' },
    });
    const { activities } = await boss.get<{ activities: Record<string, unknown>[] }>(
      '/api/admin/recent-activity',
    );
    expect(activities).toContainEqual(
      expect.objectContaining({
        type: 'other',
        kind: 'Status',
        message: 'The Boss set Meta’s status to Medium disruption for all users: Meta’s page is late.',
      }),
    );
    for (const reason of ['x'.repeat(301), 'a\0'])
      expect((await boss.call('POST', '/api/admin/force-low', { reason })).status).toBe(400);
    await boss.post('/api/admin/clear');
    await suite.become(who, ['ACTIVE']);
    await suite.report('Resolved', 'UP');
    suite.product.clock.advance(seconds(6));
    expect(await admin('system-health')).toMatchObject({ statusPage: { override: null } });
  });

  test('[API-20] an admin grants themselves ten years, and clears only their own subscription', async () => {
    const row = (userId: string) =>
      suite.product.app.db
        .selectFrom('subscriptions')
        .innerJoin('users', 'users.id', 'subscriptions.userId')
        .select(['status', 'planType', 'currentPeriodEnd', 'renews'])
        .where('platformUserId', '=', userId)
        .executeTakeFirst();
    await boss.post('/api/admin/grant-subscription');
    expect(await row(BOSS)).toMatchObject({ status: 'active', planType: 'yearly', renews: false });
    const years =
      (Number((await row(BOSS))?.currentPeriodEnd) - suite.product.clock.now()) / (365.25 * 86_400_000);
    expect(years).toBeCloseTo(10, 1);
    await boss.post('/api/admin/clear-stripe-data');
    expect(await row(BOSS)).toBeUndefined();
    expect(await row(who.userId)).toBeDefined();
  });
});

describe('npm run admin', () => {
  const suite = startSuite();
  let who: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: [] });
  });

  async function command(...args: string[]): Promise<{ code: number; out: string }> {
    const env = { PATH: process.env['PATH'], DATABASE_URL: suite.database.url };
    return promisify(execFile)(process.execPath, ['scripts/admin.ts', ...args], { cwd: ROOT, env }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      (error: unknown) => {
        const { code, stderr } = error as { code: number; stderr: string };
        return { code, out: stderr };
      },
    );
  }

  test('[ADMIN-08] grants, lists and revokes a role, effective at the next call', async () => {
    expect((await who.user.call('GET', '/api/admin/stats')).status).toBe(403);
    const granted = await command('grant', who.userId, 'developers');
    expect(granted).toEqual({ code: 0, out: `Some Body (${who.userId}) has now: developers\n` });
    expect((await who.user.call('GET', '/api/admin/stats')).status).toBe(200);
    expect((await command('list')).out).toContain(`${who.userId}  Some Body  developers`);
    expect((await command('revoke', who.userId, 'developers')).out).toContain('has now: no role');
    expect((await who.user.call('GET', '/api/admin/stats')).status).toBe(403);
    const acts = await suite.product.app.db
      .selectFrom('activities')
      .select(['event', 'facts'])
      .where('actor', '=', 'operator')
      .execute();
    expect(acts).toEqual([
      { event: 'role_grant', facts: { name: 'Some Body', role: 'developers' } },
      { event: 'role_revoke', facts: { name: 'Some Body', role: 'developers' } },
    ]);
  });

  test('[ADMIN-08, SET-11] revoking the last role deletes the admin grant', async () => {
    const { userId: platformUserId, user } = await suite.advertiser({ campaigns: [] });
    const { db } = suite.product.app;
    const change = (act: 'grant' | 'revoke', role: Role) =>
      setRole({ db, clock: suite.product.clock }, { platformUserId, role, act });
    const grants = () =>
      db.selectFrom('subscriptions').select('status').where('source', '=', 'grant').execute();
    for (const role of ROLES) await change('grant', role);
    await user.post('/api/admin/grant-subscription');
    await change('revoke', 'developers');
    expect(await grants()).toHaveLength(1);
    await change('revoke', 'administrators');
    expect(await grants()).toEqual([]);
  });

  test('an unknown role or user is reported', async () => {
    const usage = expect.stringContaining('npm run admin -- grant <Meta user id>') as string;
    expect(await command('grant', '12', 'king')).toEqual({ code: 2, out: usage });
    expect(await command('grant', '99')).toEqual({
      code: 1,
      out: 'No user with the Meta user id 99 has logged in yet.\n',
    });
  });
});
