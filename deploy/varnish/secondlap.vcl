# Varnish 7 in front of the shop. Caches public answers for as long as Surrogate-Control states, and
# purges them by tag. The shop needs CDN_SECONDS, CDN_PURGE_URL, and TRUST_PROXY with Varnish and
# the TLS proxy in front of it (docs/operations.md, "Behind a CDN"). Start Varnish with two
# listeners. Only the first may be open to visitors:
# varnishd -a :8080 -a purge=127.0.0.1:6082 …
vcl 4.1;
import std;

backend default {
  .host = "127.0.0.1";
  .port = "3000";
}

# The shop's nodes, which may purge at the listener named purge.
acl nodes {
  "127.0.0.1";
}

sub vcl_recv {
  # Visitors must not be able to force tracing of their requests (OTEL_PROPAGATORS).
  unset req.http.traceparent;
  unset req.http.tracestate;
  if (req.method == "PURGE" || local.socket == "purge") {
    # Behind a TLS proxy on this host, every visitor seems to have a node's IP address.
    if (req.method != "PURGE" || local.socket != "purge") {
      return (synth(405));
    }
    # Varnish appends the sender's IP address to the header, so a comma means that a proxy forwarded
    # the request.
    if (client.ip !~ nodes || req.http.X-Forwarded-For ~ ",") {
      return (synth(403));
    }
    if (req.http.Surrogate-Key !~ "^[\w: -]+$") {
      return (synth(400));
    }
    # The pattern of a ban can't contain spaces.
    if (!std.ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")(\s|$)")) {
      return (synth(400, std.ban_error()));
    }
    return (synth(200));
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # Passes members' own requests. Cookies of other requests go to the shop, whose public answers
  # don't depend on cookies.
  if (req.http.Authorization || req.url ~ "^/api/auth/" || req.url ~ "^/(readyz|healthz)") {
    return (pass);
  }
  return (hash);
}

sub vcl_backend_response {
  if (!beresp.http.Surrogate-Control || beresp.http.Surrogate-Control ~ "max-age=0(\D|$)" || beresp.http.Set-Cookie) {
    set beresp.uncacheable = true;
    set beresp.ttl = 10s;
    return (deliver);
  }
  set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, ".*max-age=(\d+).*", "\1s"), 0s);
  set beresp.grace = std.duration(regsub(beresp.http.Surrogate-Control, ".*stale-while-revalidate=(\d+).*", "\1s"), 0s);
  return (deliver);
}

sub vcl_deliver {
  # Only caches use these headers. Browsers revalidate every time, as Cache-Control requires.
  unset resp.http.Surrogate-Control;
  unset resp.http.CDN-Cache-Control;
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  unset resp.http.Age;
}
