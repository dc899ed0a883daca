// Calls the reference app's procedures with the official client, and prints what the client made of each answer.
import { createORPCClient, isDefinedError, ORPCError, safe } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";

const [base, cookie] = process.argv.slice(2);
const link = (options = {}) => new RPCLink({ url: `${base}/rpc`, headers: { cookie }, ...options });
const client = createORPCClient(link());
const byGet = createORPCClient(link({ method: "GET" }));

async function outcome(call) {
  const [error, data] = await safe(call);
  if (!error) return { data };
  if (!(error instanceof ORPCError)) return { odd: String(error) };
  return { code: error.code, status: error.status, message: error.message, defined: isDefinedError(error), data: error.data ?? null };
}

const made = await outcome(client["create-invoice"]({ clientId: 1, amount: 4200, notes: undefined }));
const results = {
  read: await outcome(client["list-clients"]({})),
  made,
  date: await outcome(client["list-clients"]({ since: new Date(0) })),
  invalid: await outcome(client["create-invoice"]({ clientId: 1, amount: -5 })),
  refused: await outcome(client["mark-invoice-paid"]({ id: made.data?.id })),
  unknown: await outcome(client["no-such-procedure"]({})),
  get: await outcome(byGet["list-clients"]({})),
};
console.log(JSON.stringify(results));
