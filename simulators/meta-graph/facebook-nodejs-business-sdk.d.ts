/** The part of the official SDK that the conformance test uses; the SDK ships no types. */
declare module 'facebook-nodejs-business-sdk' {
  export class FacebookAdsApi {
    static init(token: string, locale?: string, crashLog?: boolean): FacebookAdsApi;
    call(method: string, path: string[], params?: object): Promise<unknown>;
  }
  export class Cursor<T> extends Array<T> {
    hasNext(): boolean;
    next(): Promise<Cursor<T>>;
  }
  export class Campaign {
    static readonly Fields: Record<string, string>;
    constructor(id: string);
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly daily_budget: string | undefined;
    get(fields: string[], params?: object): Promise<Campaign>;
    update(fields: string[], params: object): Promise<Record<string, unknown>>;
  }
  export class AdAccount {
    static readonly Fields: Record<string, string>;
    constructor(id: string);
    readonly id: string;
    readonly name: string;
    readonly currency: string;
    getCampaigns(fields: string[], params?: object): Promise<Cursor<Campaign>>;
    getActivities(fields: string[], params?: object): Promise<Cursor<AdActivity>>;
  }
  export class AdActivity {
    static readonly Fields: Record<string, string>;
    readonly event_type: string;
    readonly object_id: string;
    readonly application_id: string;
  }
  export class User {
    static readonly Fields: Record<string, string>;
    constructor(id: string);
    readonly name: string;
    get(fields: string[]): Promise<User>;
    getAdAccounts(fields: string[], params?: object): Promise<Cursor<AdAccount>>;
  }
  export class APIResponse {
    readonly body: Record<string, unknown>;
    readonly error: { message: string; response: { error: { code: number; error_subcode?: number } } } | null;
  }
  export class FacebookAdsApiBatch {
    constructor(api: FacebookAdsApi);
    add(
      method: string,
      path: string[],
      params: object | undefined,
      files: undefined,
      onSuccess: (answer: APIResponse) => void,
      onFailure: (answer: APIResponse) => void,
    ): unknown;
    execute(): Promise<FacebookAdsApiBatch | null>;
  }
}
