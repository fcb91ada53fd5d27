"""Signing in to a server: tokens are got, kept, renewed, shown to the server that they are for, and to nobody else.

What happens to a request, from left to right:

    signing ─► account ─► flights ─► renewal ─────────► grants/ ─► wire/ (discovery, registration, token endpoint)
    (request)  (1 identity) (1 at a   (turn, store,       (how a      (bounded, guarded requests)
                             time)     refresh or obtain)  first token
                                                           is got)

`signing` puts a token on a request and understands its refusal (401, 403 insufficient_scope). `account` knows the
tokens of one identity. `renewal` gets others, one at a time wherever it runs, since whose turn it is stands in the
store too. `values` are what travels.

**Another way to be granted tokens** (client credentials, an assertion, ...) is a declaration beside `OAuth` in
`config/oauth.py`, derived from `OAuthGrant`, and a file in `grants/` with a `Grant` for it, named in `grants/kinds.py`.
A `Grant` says how the first token is got, and as which client; renewal, storage, steps up and the wire are the same
for all. `Presentation` (in `wire/presentation.py`) is the other seam: how a token is shown, with each request and to
the token endpoint: as it is, or with proofs that we have its key (RFC 9449, `wire/dpop`).
"""
